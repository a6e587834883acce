import type { ComponentType, ReactElement, ReactNode } from 'react';
import { type LateComponent, lateComponent } from '../design/late/late-component.tsx';
import { Page } from '../design/layout/page.tsx';
import { useTranslation } from '../i18n/translation.ts';

/** Returns the component of a route, whose file is loaded when a link to it is used. */
export function latePage(load: () => Promise<ComponentType>): LateComponent<object> {
  return lateComponent(load, { Frame: MissingPage });
}

/** Stands in for a page whose file does not load. */
function MissingPage({ children }: { readonly children: ReactNode }): ReactElement {
  const { t } = useTranslation();
  return <Page title={t('shell.missingPage')}>{children}</Page>;
}
