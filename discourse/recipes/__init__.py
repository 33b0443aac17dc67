"""How the recipes over documents write and describe their data sets."""
