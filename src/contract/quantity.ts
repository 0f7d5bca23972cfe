/** The most keys in one order. */
export const mostOfOne = 100;

/** The longest sender's name and message of a gift, in characters. */
export const giftLimits = { from: 40, message: 500 };
