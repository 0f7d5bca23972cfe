import { createHmac } from "node:crypto";
import Stripe from "stripe";

/** Stripe's own provider for Bun takes 20 µs a webhook: it imports the secret again each time, on another thread. */
class Hmac extends Stripe.CryptoProvider {
  override computeHMACSignature(payload: string, secret: string): string {
    return createHmac("sha256", secret).update(payload).digest("hex");
  }
  override async computeHMACSignatureAsync(payload: string, secret: string): Promise<string> {
    return this.computeHMACSignature(payload, secret);
  }
}

export const hmac = new Hmac();
