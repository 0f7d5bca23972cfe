/** Whether a text has no control characters, and nothing that a built page has where the shop's words come. */
export const isPlain = (text: string): boolean =>
  !/[^\P{Cc}\n\t]|%(?:charge|currency|decimal|first|offers?|origin|price)-/u.test(text);

export const mustBePlain = "must have no control characters, and no place of a built page such as %price-1%";
