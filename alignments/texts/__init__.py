"""Readers of bitext without sentence alignment: line files, translation memories, tables, and files of documents."""
