import type { Route } from "../../api/lists";
import {
  createCustomer,
  getCustomer,
  getMethod,
  listCustomers,
  listMethods,
  removeCustomer,
  updateCustomer,
} from "./customers";
import {
  finalizeInvoice,
  getInvoice,
  listInvoicePayments,
  listInvoices,
  listLines,
  payInvoice,
  voidInvoice,
} from "./invoices";
import { createConfiguration, getConfiguration, listConfigurations, updateConfiguration } from "./portal";
import { createPortalSession } from "./portal-sessions";
import { previewInvoice } from "./preview";
import { createPrice, getPrice, listPrices, updatePrice } from "./prices";
import { releaseSchedule } from "./schedules";
import { cancelSubscription, getSubscription, listSubscriptions, resumeSubscription } from "./subscriptions";
import { updateSubscription } from "./update";

/** The part of the API that has to do with subscriptions. The permission for prices is called `plan`. */
export const billingRoutes: Route[] = [
  ["POST", "prices", "plan", createPrice],
  ["GET", "prices", "plan", listPrices],
  ["GET", "prices/:id", "plan", getPrice],
  ["POST", "prices/:id", "plan", updatePrice],
  ["POST", "customers", "customer", createCustomer],
  ["GET", "customers", "customer", listCustomers],
  ["GET", "customers/:id", "customer", getCustomer],
  ["POST", "customers/:id", "customer", updateCustomer],
  ["DELETE", "customers/:id", "customer", removeCustomer],
  ["GET", "customers/:id/payment_methods", "payment_method", listMethods],
  ["GET", "payment_methods", "payment_method", listMethods],
  ["GET", "payment_methods/:id", "payment_method", getMethod],
  ["GET", "subscriptions", "subscription", listSubscriptions],
  ["GET", "subscriptions/:id", "subscription", getSubscription],
  ["POST", "subscriptions/:id", "subscription", updateSubscription],
  ["DELETE", "subscriptions/:id", "subscription", cancelSubscription],
  ["POST", "subscriptions/:id/resume", "subscription", resumeSubscription],
  ["POST", "invoices/create_preview", "invoice", previewInvoice],
  ["GET", "invoices", "invoice", listInvoices],
  ["GET", "invoices/:id", "invoice", getInvoice],
  ["GET", "invoices/:id/lines", "invoice", listLines],
  ["POST", "invoices/:id/pay", "invoice", payInvoice],
  ["POST", "invoices/:id/void", "invoice", voidInvoice],
  ["POST", "invoices/:id/finalize", "invoice", finalizeInvoice],
  ["GET", "invoice_payments", "invoice", listInvoicePayments],
  ["POST", "subscription_schedules/:id/release", "subscription", releaseSchedule],
  ["POST", "billing_portal/configurations", "customer_portal", createConfiguration],
  ["GET", "billing_portal/configurations", "customer_portal", listConfigurations],
  ["GET", "billing_portal/configurations/:id", "customer_portal", getConfiguration],
  ["POST", "billing_portal/configurations/:id", "customer_portal", updateConfiguration],
  ["POST", "billing_portal/sessions", "customer_portal", createPortalSession],
];
