"""Notes in three languages, a file a topic and an item a sentence, against plain keyword indexes over chunks."""
