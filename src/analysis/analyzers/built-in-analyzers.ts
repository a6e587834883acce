import { characterizeManifest } from './characterize/characterize-manifest.ts';
import { extractManifest } from './extract/extract-manifest.ts';
import type { AnalyzerManifest } from './manifest.ts';

/** Every analyzer that comes with the program. `load-analyzer.ts` loads their code in their processes. */
export const BUILT_IN_ANALYZERS: readonly AnalyzerManifest[] = [characterizeManifest, extractManifest];
