import type { Route } from "../../api/lists";
import { getCustomer, listCustomers, listMethods, updateCustomer } from "./customers";
import {
  getInvoice,
  listInvoicePayments,
  listInvoices,
  listLines,
  payInvoice,
  voidInvoice,
} from "./invoices";
import { createConfiguration, listConfigurations, updateConfiguration } from "./portal";
import { createPortalSession } from "./portal-sessions";
import { previewInvoice } from "./preview";
import { createPrice, listPrices, priceOf, updatePrice } from "./prices";
import { updateProduct } from "./products";
import { releaseSchedule } from "./schedules";
import { cancelSubscription, getSubscription, listSubscriptions } from "./subscriptions";
import { updateSubscription } from "./update";

/** The part of the API that has to do with subscriptions. The permission for prices is called `plan`. */
export const billingRoutes: Route[] = [
  ["POST", "prices", "plan", createPrice],
  ["GET", "prices", "plan", listPrices],
  ["GET", "prices/:id", "plan", ({ world, id }) => priceOf(world, id, "id")],
  ["POST", "prices/:id", "plan", updatePrice],
  ["POST", "products/:id", "product", updateProduct],
  ["GET", "customers", "customer", listCustomers],
  ["GET", "customers/:id", "customer", getCustomer],
  ["POST", "customers/:id", "customer", updateCustomer],
  ["GET", "payment_methods", "payment_method", listMethods],
  ["GET", "subscriptions", "subscription", listSubscriptions],
  ["GET", "subscriptions/:id", "subscription", getSubscription],
  ["POST", "subscriptions/:id", "subscription", updateSubscription],
  ["DELETE", "subscriptions/:id", "subscription", cancelSubscription],
  ["POST", "invoices/create_preview", "invoice", previewInvoice],
  ["GET", "invoices", "invoice", listInvoices],
  ["GET", "invoices/:id", "invoice", getInvoice],
  ["GET", "invoices/:id/lines", "invoice", listLines],
  ["POST", "invoices/:id/pay", "invoice", payInvoice],
  ["POST", "invoices/:id/void", "invoice", voidInvoice],
  ["GET", "invoice_payments", "invoice", listInvoicePayments],
  ["POST", "subscription_schedules/:id/release", "subscription", releaseSchedule],
  ["POST", "billing_portal/configurations", "customer_portal", createConfiguration],
  ["GET", "billing_portal/configurations", "customer_portal", listConfigurations],
  ["POST", "billing_portal/configurations/:id", "customer_portal", updateConfiguration],
  ["POST", "billing_portal/sessions", "customer_portal", createPortalSession],
];
