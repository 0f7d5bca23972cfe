/** The style of 'GO BACK' on each step. */
export const goBackClass =
  "mx-auto inline-flex min-h-11 items-center text-xs font-medium tracking-wider text-muted-foreground underline-offset-4 hover:text-foreground hover:underline";
