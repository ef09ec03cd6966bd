"""Clicks are charged to merchants, each once, however often it is asked for; two merchants get more than a row of MySQL takes."""
