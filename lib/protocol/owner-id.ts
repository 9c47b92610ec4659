/** The id of an owner of whom Redis has no word: a counter, or a value that names nobody. */
export const NO_OWNER_ID = '(no owner information)';
