import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactElement, ReactNode } from 'react';
import { useStore } from '../state/use-store.ts';
import { toaster } from './overlays/toasts.ts';
import { tooltipHost } from './overlays/tooltip/tooltip.tsx';
import './styles.ts';

/**
 * Holds what components need once a page: tooltips, toasts, and the switch that keeps Base UI from
 * writing style elements, which the Content-Security-Policy forbids.
 */
export function DesignRoot({ children }: { readonly children: ReactNode }): ReactElement {
  // The sign-in page does without them (34 kB, brotli): they are loaded where something uses them.
  const TooltipHost = useStore(tooltipHost);
  const Toaster = useStore(toaster);
  return (
    <CSPProvider disableStyleElements>
      {children}
      {TooltipHost && <TooltipHost />}
      {Toaster && <Toaster />}
    </CSPProvider>
  );
}
