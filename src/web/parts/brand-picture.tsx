import type { Picture } from "@/brand/pictures";

/**
 * A brand picture in the smallest suitable file: the narrow version below 640 px, otherwise the width that
 * `sizes` (as in HTML) calls for.
 */
export function BrandPicture(props: {
  picture: Picture;
  sizes: string;
  urgent?: boolean;
  className?: string;
}) {
  const { alt, wide, phone } = props.picture;
  return (
    <picture>
      {phone.avif && (
        <source
          media={narrowScreen}
          type="image/avif"
          srcSet={phone.avif}
          width={phone.width}
          height={phone.height}
        />
      )}
      <source
        media={narrowScreen}
        type="image/webp"
        srcSet={phone.webp}
        width={phone.width}
        height={phone.height}
      />
      {wide.avif && (
        <source media={wideScreen} type="image/avif" srcSet={setOf(wide.avif)} sizes={props.sizes} />
      )}
      <source media={wideScreen} type="image/webp" srcSet={setOf(wide.webp)} sizes={props.sizes} />
      <img
        src={wide.jpeg}
        alt={alt}
        width={wide.width}
        height={wide.height}
        decoding="async"
        loading={props.urgent ? "eager" : "lazy"}
        fetchPriority={props.urgent ? "high" : "auto"}
        className={props.className}
      />
    </picture>
  );
}

// These must not overlap, because each source of an urgent picture is preloaded separately.
const narrowScreen = "(max-width: 639px)";
const wideScreen = "not all and (max-width: 639px)";

function setOf(widths: Readonly<Record<number, string>>) {
  return Object.entries(widths)
    .map(([width, url]) => `${url} ${width}w`)
    .join(", ");
}
