import { z } from "zod";
import { brand } from "@/brand/brand";
import { paidPlatforms, wantedFile } from "@/contract/vocabulary/builds";
import { accountById, provenEmail } from "../../accounts/sessions/account";
import { button, heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";

/** Brings the download from a phone to a computer; the subject is the account's id. */
export const downloadLinkEmail = emailTemplate({
  name: "mail.download-link",
  priority: true,
  // `wish`: which of the same account's wishes it answers
  payload: z.object({ file: z.enum(paidPlatforms).nullable(), wish: z.string() }),
  dropWhenOff: true,
  async prepare(ctx, { subject, payload: { file, wish } }, { publicUrl }) {
    const account = await accountById(ctx, subject);
    if (!account) return null;
    const downloadUrl = new URL("/dashboard/download", publicUrl);
    if (file !== null) downloadUrl.searchParams.set(wantedFile, file);
    return {
      to: provenEmail(account),
      id: `download-link.${wish}`,
      email: writeDownloadLink({ downloadUrl: downloadUrl.href }),
      about: { subject, accountId: subject },
    };
  },
});

export const writeDownloadLink = ({ downloadUrl }: { downloadUrl: string }): Email => ({
  kind: "download-link",
  subject: `Download ${brand.shortName} on your computer`,
  preheader: "Open this email on your computer, then press the button.",
  blocks: [
    heading(`Download ${brand.shortName}`),
    paragraph("Open this email on the computer you want to use, then press the button."),
    button(`Download ${brand.shortName}`, downloadUrl),
  ],
  why: "You're receiving this because you asked for the link in your dashboard.",
});
