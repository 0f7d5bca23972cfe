/** Between two resets of the hardware ID by the account's owner. The first binding starts none. */
export const deviceResetDays = 30;
