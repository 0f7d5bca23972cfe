import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ComponentProps } from "react";
import { Link } from "react-router";
import { downloads } from "@/contract/vocabulary/builds";
import { fileSizesQuery } from "../../api/releases";
import { noteStep } from "../first-steps";
import { Button } from "../../ui/button";
import { filesOf, systemNames } from "../build-files";
import { ownSystem } from "../own-system";

type Props = Pick<ComponentProps<typeof Button>, "variant" | "size"> & { accountId: string };

/** Downloads the first file for the visitor's system; leads to all files if there is none for it. */
export function DownloadButton({ accountId, ...look }: Props) {
  const { data: sizes } = useQuery(fileSizesQuery);
  const own = ownSystem();
  const file = own && filesOf(own, { sizes }).find((platform) => typeof sizes?.[platform] === "number");
  if (!own || !file)
    return (
      <Button asChild {...look}>
        <Link to="/dashboard/download">
          <Download aria-hidden="true" />
          Download
        </Link>
      </Button>
    );
  return (
    <Button asChild {...look}>
      {/* in a new tab, because without access the link redirects to a page */}
      <a
        href={downloads[file].path}
        target="_blank"
        rel="noreferrer"
        onClick={() => noteStep(accountId, "download")}
      >
        <Download aria-hidden="true" />
        <span>
          {`Download for ${systemNames[own]}`}
          <span className="sr-only"> (opens in a new tab)</span>
        </span>
      </a>
    </Button>
  );
}
