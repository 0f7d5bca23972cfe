import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { licenceEnd } from "@/contract/vocabulary/licence-end";
import type { Licence } from "@/contract/wire/licences";
import { licencesQuery } from "../../api/licences";
import { formatDay } from "../../parts/format-time";
import { Skeleton } from "../../ui/skeleton";

/** Until when the license runs that was just added to the account. */
export function AddedNote({ licenceKey }: { licenceKey: string | null }) {
  const { data: licences, isPending } = useInfiniteQuery(licencesQuery);
  const licence = licences?.find(({ key }) => key === licenceKey);
  return (
    <p className="flex min-h-6 basis-full items-center justify-center gap-2 text-sm sm:text-base">
      {isPending ? (
        <Skeleton className="h-4 w-64" />
      ) : (
        <>
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
          <span>{addedText(licence)}</span>
        </>
      )}
    </p>
  );
}

function addedText(licence: Licence | undefined): string {
  const added = "Added to your account";
  if (licence?.status !== "active") return added;
  const end = licenceEnd(licence.expiry_date, licence.renews_at, new Date());
  return end === null ? `${added}, yours for life` : `${added}, runs until ${formatDay(end)}`;
}
