/** The product's logo as one SVG path in a square box; holes follow the even-odd rule. */
export const mark = {
  size: 64,
  path: "M33 3c2.600 12.500 19 18 19 38a20 20 0 0 1-40 0c0-8.500 4-13 7.300-17.500 1.300 6 4.300 9 7.200 9C30 23 26.500 14 33 3zM32 35.500a6.800 6.800 0 0 0-3.400 12.700L26.800 56.500h10.400l-1.800-8.300A6.800 6.800 0 0 0 32 35.500z",
} as const;
