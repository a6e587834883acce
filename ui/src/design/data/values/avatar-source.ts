import { pictureAddress } from '../../markup/link-target.ts';

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=]+$/i;
/** The services refuse larger pictures. */
const MAX_IMAGE = 2_000_000;

/**
 * Returns a picture that may be shown: one in the answer itself, or of this origin as in markdown.
 * Others would tell who looks, or change something in the name of who looks.
 */
export function avatarSource(picture: string | null | undefined, origin: string): string | undefined {
  if (!picture || picture.length > MAX_IMAGE) return undefined;
  if (picture.startsWith('data:')) return IMAGE.test(picture) ? picture : undefined;
  if (picture.startsWith(`blob:${origin}/`)) return picture;
  return pictureAddress(picture.startsWith(`${origin}/`) ? picture.slice(origin.length) : picture, origin);
}

/** Returns up to two initials: of `marie.tremblay` MT, of `Jean-Paul Roy` JR, of `admin` A. */
export function initials(name: string): string {
  const words = name.split(/[\s._@]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const ends = words.length > 1 && !name.includes('@') ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => /[\p{L}\p{N}]/u.exec(word ?? '')?.[0]?.toUpperCase() ?? '').join('') || '?';
}
