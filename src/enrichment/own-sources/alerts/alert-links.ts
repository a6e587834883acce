import type { LinksBySite } from '../values/service-links.ts';

/** Addresses of pages about alerts and cases; undefined for one that is not known or too long. */
export interface AlertLinks {
  search(query: string): string | undefined;
  alert(id: string): string | undefined;
  case(id: string): string | undefined;
}

/** Links to the pages of Howler, the pages of this program and the routes of the alert service. */
export const ALERT_LINKS: LinksBySite<AlertLinks> = {
  remote: (linkTo) => ({
    search: (query) => linkTo(`/search?span=date.range.all&query=${encodeURIComponent(query)}`),
    alert: (id) => linkTo(`/hits/${encodeURIComponent(id)}`),
    case: (id) => linkTo(`/cases/${encodeURIComponent(id)}`),
  }),
  pages: (linkTo) => ({
    search: (query) => linkTo(`/alerts?q=${encodeURIComponent(query)}`),
    alert: (id) => linkTo(`/alerts/${encodeURIComponent(id)}`),
    case: (id) => linkTo(`/cases/${encodeURIComponent(id)}`),
  }),
  routes: (linkTo) => ({
    search: (query) => linkTo(`/api/v1/search/hit?query=${encodeURIComponent(query)}`),
    alert: (id) => linkTo(`/api/v1/hit/${encodeURIComponent(id)}`),
    case: (id) => linkTo(`/api/v2/case/${encodeURIComponent(id)}`),
  }),
};
