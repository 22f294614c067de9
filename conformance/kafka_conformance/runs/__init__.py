"""Many targets, many vectors, one `Run`: asked, judged, compared, timed."""
