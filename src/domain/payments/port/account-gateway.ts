/** Whether the shop needs the provider's events about subscriptions. */
export type WatchedEvents = { subscriptions: boolean };

/** One of the permissions that the shop's key needs. */
export type KeyPermission = {
  /** Stripe's name of the permission, as in its refusals. */
  name: string;
  /** As listed in the form for restricted keys in Stripe's dashboard. */
  label: string;
  /** What fails without it. */
  without: string;
  granted: boolean;
};

/** An endpoint of the provider's for the shop's webhooks. */
export type WebhookEndpoint = {
  id: string;
  enabled: boolean;
  /** The events that the shop needs and it doesn't send. */
  lacks: string[];
  /** The version of its events; null if it is the account's. */
  version: string | null;
  isOwnVersion: boolean;
};

/** The shop's account at the payment provider. */
export type AccountGateway = {
  /** The provider's endpoints with this address; `unread` if the key may not list endpoints. */
  webhookEndpoints(url: string, watching: WatchedEvents): Promise<WebhookEndpoint[] | "unread">;
  /** Adds what an endpoint lacks to the events that it sends. */
  addEvents(endpoint: string, watching: WatchedEvents): Promise<void>;
  /** Creates an endpoint with this address and the shop's id; the provider reveals its secret only here. */
  newEndpoint(url: string, watching: WatchedEvents, shopId: string): Promise<{ id: string; secret: string }>;
  /**
   * Tries every call that the shop makes to the provider, without effect. `writes` includes the calls that change
   * something; each leaves an error in the provider's own log.
   */
  permissions(also: WatchedEvents & { writes: boolean }): Promise<KeyPermission[]>;
  /** Calls back, with the kind of call, whenever the provider refuses one because the key lacks a permission. */
  whenForbidden(listener: (call: string) => void): void;
};
