"""The pages, a folder for each noun: views beside their forms."""
