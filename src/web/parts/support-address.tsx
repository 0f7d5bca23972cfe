import { brand } from "@/brand/brand";

/** Where to write to a person. */
export const SupportAddress = () => (
  <a
    href={`mailto:${brand.supportEmail}`}
    className="text-link underline decoration-link/50 underline-offset-4 hover:decoration-link"
  >
    {brand.supportEmail}
  </a>
);
