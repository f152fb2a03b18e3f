"""Textbook searches, written for people who want to read and compare them."""
