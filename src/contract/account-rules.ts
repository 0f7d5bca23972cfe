/** What an account's fields may hold. Free of zod, so that forms can import it cheaply. */
export const usernameRule = /^[A-Za-z0-9_.-]{3,32}$/;

/** Characters of a password. */
export const passwordLength = { least: 8, most: 128 };

/** The characters of a text as people count them. */
export const lengthOf = (text: string): number => [...text].length;
