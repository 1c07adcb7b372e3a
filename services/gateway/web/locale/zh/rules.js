// @ts-check
/** How each game is played, in short.
 * @type {Record<keyof typeof import('../en/rules.js').rulesEn, string>} */
export const rulesZh = {
  'rules.open': '玩法',
  'rules.of': '{game}玩法',
  'rules.blackjack.1': '点数比庄家更接近 21 点，但不能超过。',
  'rules.blackjack.2': '数字牌按牌面，J、Q、K 算 10，A 算 1 或 11。',
  'rules.blackjack.3': '由一名玩家坐庄：赔给赢家，收下输家的注。',
  'rules.blackjack.4': '先下注，每人发两张牌，庄家亮一张。',
  'rules.blackjack.5': '要牌：再来一张。停牌：不再要。加倍：注翻倍，只再拿一张。分牌：两张同点牌分成两手。',
  'rules.blackjack.6': 'A 加一张十点牌是黑杰克：胜过其他 21 点，赔得更多。',
  'rules.blackjack.7': '保险是押庄家有黑杰克的边注。',
  'rules.mahjong.1': '共 108 张：万、筒、条，一到九各四张。',
  'rules.mahjong.2': '先换三张同花色的牌（看房间规则），再定缺一门；手里有缺门的牌不能胡。',
  'rules.mahjong.3': '轮到你时摸一张、打一张：点一下选牌，再点一下打出。',
  'rules.mahjong.4': '四副面子加一对将即可胡。面子是三张相同，或同花色三连张。七对也能胡。',
  'rules.mahjong.5': '别人打的牌可以要：碰成三张，杠成四张并立即收钱，胡则你已胡牌。',
  'rules.mahjong.6': '血战到底：有人胡后其余人继续，直到三家胡或牌墙摸完。',
  'rules.mahjong.7': '牌墙摸完时，没听牌的赔给听牌的。',
  'rules.balatro.1': '逐个击败盲注：每个盲注都有一个要达到的分数。',
  'rules.balatro.2': '最多选五张牌。出牌按牌型计分；弃牌换新牌。',
  'rules.balatro.3': '得分是筹码 × 倍率，牌型越大起点越高。',
  'rules.balatro.4': '击败盲注得资金，可在商店花掉，也可存着生利息。',
  'rules.balatro.5': '小丑从左到右改变得分；星球牌提升牌型等级，塔罗牌改变你的牌。',
  'rules.balatro.6': '每第三个盲注是头目，有特殊规则。前两个可跳过，换一个标签。',
  'rules.balatro.7': '击败底注 8 的头目即通关。',
};
