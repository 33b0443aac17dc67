"""The stages of the recipes over documents, their forms and resources."""
