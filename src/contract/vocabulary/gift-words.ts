/** The sentences of a gift's email, which the order's preview shows as well. `from`: the giver's name, if given. */
export const giftWords = (productName: string, from: string | null) => {
  const giver = from ?? "Somebody";
  return {
    subject: `A gift for you: ${productName}`,
    heading: "A gift for you",
    gives: `${giver} gives you ${productName}.`,
    wrote: `${giver} wrote:`,
    activate: "Register an account with this license key to activate it:",
  };
};
