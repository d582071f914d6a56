"""Finding: query language, keyword and vector sides, fusion, explanation."""
