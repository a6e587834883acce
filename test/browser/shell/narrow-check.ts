import type { Page } from 'playwright-core';

/** WCAG 2.2, 2.5.8. */
const MIN_TARGET = 24;

/**
 * Returns what a person with a small window cannot do well: what scrolls sideways (tabs do so on
 * purpose), and controls smaller than 24 pixels. Links within a sentence have the height of its line.
 */
export function narrowProblems(page: Page): Promise<string[]> {
  return page.evaluate((min) => {
    const nameOf = (element: Element) =>
      `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 60)}`;
    const scrolling = [...document.querySelectorAll('html, body, body *')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && !element.matches('[role=tablist]'))
      .filter(
        (element) => element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX),
      )
      .map((element) => `scrolls sideways, ${element.scrollWidth} pixels: ${nameOf(element)}`);
    const controls = 'a[href], button, input, select, textarea, summary, [role=tab], [role=menuitem], [role=option]';
    const small = [...document.querySelectorAll(controls)]
      .filter((element) => element.closest('[aria-hidden=true], [inert]') === null)
      .filter((element) => getComputedStyle(element).visibility !== 'hidden')
      .filter((element) => !(element.matches('a') && getComputedStyle(element).display === 'inline'))
      .map((element) => ({
        element,
        box: (element.closest('label, [data-select]') ?? element).getBoundingClientRect(),
      }))
      // What only screen readers see has one pixel.
      .filter(({ box }) => box.width > 1 && box.height > 1 && (box.width < min || box.height < min))
      .map(({ element, box }) => `${box.width} × ${box.height}: ${nameOf(element)}`);
    return [...scrolling, ...small];
  }, MIN_TARGET);
}
