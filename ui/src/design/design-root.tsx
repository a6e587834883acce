import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactElement, ReactNode } from 'react';
import { Toaster } from './overlays/toaster.tsx';
import { TooltipHost } from './overlays/tooltip.tsx';
import './styles.ts';

/**
 * Holds what components need once a page: tooltips, toasts, and the switch that keeps Base UI from
 * writing style elements, which the Content-Security-Policy forbids.
 */
export function DesignRoot({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <TooltipHost />
      <Toaster />
    </CSPProvider>
  );
}
