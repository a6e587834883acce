import { readManifest } from 'triad/extension';

/** The program reads this object first. */
export const config = readManifest(import.meta.url);
