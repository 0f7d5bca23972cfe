/** The sentences of a gift's email, which the order's preview shows as well. `from`: the giver's name, if given. */
export const giftWords = (productName: string, from: string | null) => {
  const giver = from ?? "Someone";
  return {
    subject: `A gift for you: ${productName}`,
    heading: "A gift for you",
    gives: `${giver} sent you ${productName}.`,
    wrote: `${giver} wrote:`,
    activate: "Create an account with this license key to activate it:",
  };
};
