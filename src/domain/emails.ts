import { confirmAddressEmail } from "./accounts/emails/confirm-address";
import { recoveryCodeEmail } from "./accounts/emails/recovery-code";
import { securityNoticeEmail } from "./accounts/emails/security-notice";
import { earlierEventsEmail } from "./accounts/emails/earlier-events";
import { downloadLinkEmail } from "./application/emails/download-link";
import { deviceAddedEmail } from "./devices/emails/device-added";
import { issuedKeysEmail } from "./jobs/emails/issued-keys";
import { licenceGrantedEmail, licenceKeyEmail } from "./licences/emails/licence-key";
import { licenceLevelChangedEmail } from "./licences/emails/licence-level";
import {
  announcementEmail,
  announcementTestEmail,
  deferredAnnouncementEmail,
} from "./campaigns/emails/announcement";
import { licenceEndingEmail } from "./campaigns/emails/licence-ending";
import { giftEmail, giftAgainEmail } from "./payments/emails/gift";
import { licenceKeyReplacedEmail } from "./payments/emails/licence-key-replaced";
import { ordersEmail } from "./payments/emails/orders";
import {
  paymentDisputedEmail,
  paymentFailedEmail,
  paymentLostEmail,
  paymentPartRefundFailedEmail,
  paymentRefundFailedEmail,
  paymentRestoredEmail,
  trialTakenEmail,
} from "./payments/emails/payment";
import { paymentRefundedEmail } from "./payments/emails/payment-refunded";
import { receiptEmail, receiptAgainEmail } from "./payments/emails/receipt";
import { renewalReceiptAgainEmail, renewalReceiptEmail } from "./payments/emails/renewal-receipt";
import {
  billingMovedEmail,
  subscriptionEndedEmail,
  subscriptionEndingEmail,
  subscriptionPastDueEmail,
  subscriptionPausedEmail,
  subscriptionRenewsEmail,
  subscriptionResumedEmail,
} from "./payments/emails/subscription";
import type { EmailTemplate, GatheredEmail } from "./mail/template";
import { answerWaitsEmail } from "./tickets/emails/answer-waits";
import { ownerDigestEmail, ownerNoticesEmail } from "./notices/emails/owner-notices";
import { invitationEmail } from "./staff/emails/invitation";

export const emails: readonly (EmailTemplate | GatheredEmail)[] = [
  announcementEmail,
  announcementTestEmail,
  answerWaitsEmail,
  confirmAddressEmail,
  deferredAnnouncementEmail,
  deviceAddedEmail,
  downloadLinkEmail,
  earlierEventsEmail,
  giftEmail,
  giftAgainEmail,
  invitationEmail,
  issuedKeysEmail,
  licenceEndingEmail,
  licenceGrantedEmail,
  licenceKeyEmail,
  licenceLevelChangedEmail,
  licenceKeyReplacedEmail,
  ordersEmail,
  ownerDigestEmail,
  ownerNoticesEmail,
  paymentDisputedEmail,
  paymentFailedEmail,
  trialTakenEmail,
  paymentLostEmail,
  paymentPartRefundFailedEmail,
  paymentRefundedEmail,
  paymentRefundFailedEmail,
  paymentRestoredEmail,
  receiptEmail,
  receiptAgainEmail,
  recoveryCodeEmail,
  renewalReceiptEmail,
  renewalReceiptAgainEmail,
  securityNoticeEmail,
  subscriptionEndedEmail,
  subscriptionEndingEmail,
  subscriptionPausedEmail,
  billingMovedEmail,
  subscriptionPastDueEmail,
  subscriptionRenewsEmail,
  subscriptionResumedEmail,
];
