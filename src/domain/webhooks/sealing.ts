/** What each sealed value is bound to: it can't be opened in another row. */
export const webhookSecretContext = (endpointId: string) => `webhook-secret:${endpointId}`;
export const webhookBodyContext = (eventId: string) => `webhook-body:${eventId}`;
export const webhookAnswerContext = (deliveryId: string) => `webhook-answer:${deliveryId}`;
