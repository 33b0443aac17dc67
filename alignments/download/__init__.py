"""Files from the outside: whole, checked, resumed, shared; of a large zip only the members needed."""
