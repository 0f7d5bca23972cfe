/** Of the customers of the benchmark. */
export const password = "a long enough phrase";
