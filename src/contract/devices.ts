/** The wait between two hardware ID resets by the owner. The first binding doesn't start it. */
export const deviceResetDays = 30;
