/** One wording, or two that a number chooses between. Blanks are `{name}`. */
export type Template = string | { plural: string; one?: string; other: string };
