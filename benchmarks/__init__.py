"""Measured figures. Takes the package as installed; gives `Bar` records; knows no test."""
