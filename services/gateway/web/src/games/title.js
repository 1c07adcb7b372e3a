// @ts-check
/** How games are called. */

import { t } from '../ui/i18n.js';

/**
 * The name of a game; the run of the day has one of its own.
 * @param {string} game
 * @param {{daily?: string}} [run] the roguelike's options or outcome, where there is one
 */
export function titleOf(game, run) {
  return run?.daily ? t('boards.daily') : t(`game.${game}`);
}
