import type { LinksBySite } from '../values/service-links.ts';
import type { ListName } from './analysis-searches.ts';

/** Addresses of pages about files and results; undefined for one that there is not, or is too long. */
export interface AnalysisLinks {
  file(sha256: string): string | undefined;
  results(query: string): string | undefined;
  listed(list: ListName, id: string): string | undefined;
  submission(sid: string): string | undefined;
}

/**
 * Links to the pages of Assemblyline, the pages of this program and the routes of the analysis
 * service.
 */
export const ANALYSIS_LINKS: LinksBySite<AnalysisLinks> = {
  remote: (linkTo) => ({
    file: (sha256) => linkTo(`/file/detail/${sha256}`),
    results: (query) => linkTo(`/search/result?query=${encodeURIComponent(query)}`),
    listed: (list, id) => linkTo(`/manage/${list}/${encodeURIComponent(id)}`),
    submission: (sid) => linkTo(`/submission/${sid}`),
  }),
  pages: (linkTo) => ({
    // The submissions of the file, and those in which it was extracted.
    file: (sha256) => linkTo(`/files?q=${encodeURIComponent(`files.sha256:${sha256} OR results:${sha256}*`)}`),
    results: () => undefined,
    listed: () => undefined,
    submission: (sid) => linkTo(`/files/${sid}`),
  }),
  routes: (linkTo) => ({
    file: (sha256) => linkTo(`/api/v4/file/result/${sha256}/`),
    results: (query) => linkTo(`/api/v4/search/result/?query=${encodeURIComponent(query)}`),
    listed: (list, id) => linkTo(`/api/v4/${list}/${encodeURIComponent(id)}/`),
    submission: (sid) => linkTo(`/api/v4/submission/${sid}/`),
  }),
};
