/** The most keys in one order. */
export const mostOfOne = 100;

/** The longest that a gift may say. */
export const giftLimits = { from: 40, message: 500 };
