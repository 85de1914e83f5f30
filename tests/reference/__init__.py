"""The rules once more: slow and obvious, to check the engine against."""
