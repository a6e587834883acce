import { useMedia } from './use-media.ts';

/** The width at which the styles of pages change, too. */
const QUERY = '(max-width: 640px)';

/** Returns whether the window is as narrow as that of a phone, or of a page at 400 %. */
export function useSmallScreen(): boolean {
  return useMedia(QUERY);
}
