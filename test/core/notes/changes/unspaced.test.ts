import { describe, expect, it } from "vitest";
import { changeOfTexts } from "../../../../src/core/notes/changes/change.ts";

const kind = (before: string, after: string) => changeOfTexts(after, before).kind;

describe("a change in a script without spaces", () => {
  it.each([
    ["商城部署在阿里云上。", "上个月我们把商城从阿里云迁到了华为云。"],
    ["样式用 Less，不要用 Sass。", "样式用 Tailwind，不要用 Less。"],
    ["提交前必须先跑一遍完整测试。", "提交前不用再跑完整测试了。"],
    ["发布流程由王磊负责。", "从今天起发布流程由陈静负责。"],
    ["蓝牙驱动由王磊负责。", "蓝牙驱动由陈静负责。"],
    ["成绩模块使用 SQL Server。", "成绩模块从上个月起改用 PostgreSQL。"],
    ["アラート担当は佐藤さんです。", "4月からアラート担当は鈴木さんです。"],
    ["우리는 Heroku에 배포한다", "Heroku에서 AWS로 옮겼다"],
    ["경로 최적화 모듈은 8000번 포트를 사용한다.", "경로 최적화 모듈은 8500번 포트를 사용한다."],
  ])("supersedes what it is about: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("replaces");
  });

  it.each([
    ["我们部署在阿里云上。", "上个月我们把测试环境从阿里云迁到了华为云。"],
    ["库存服务用 Redis 做缓存。", "订单服务不再用 Redis 做缓存。"],
    ["前端用 pnpm，不要用 npm。", "后端用 Go，不要用 Java。"],
    ["发布流程由王磊负责。", "测试流程由陈静负责。"],
    ["검색 모듈은 8000번 포트를 사용한다.", "결제 모듈은 8500번 포트를 사용한다."],
  ])("leaves what is about something else: %s / %s", (before, after) => {
    expect(kind(before, after)).not.toBe("replaces");
  });
});

describe("the same in a script without spaces", () => {
  it.each([
    ["代码注释用英文写。", "代码里的注释都用英文。"],
    ["提交代码之前要先跑单元测试。", "每次提交代码前都要先跑一遍单元测试。"],
    ["接口文档用 Swagger 生成。", "接口文档都是swagger生成的"],
  ])("is known where only filling words differ: %s / %s", (before, after) => {
    expect(kind(before, after)).toBe("same");
  });

  it.each([
    ["代码注释用英文写。", "代码注释不用英文写。"],
    ["先测试再合并。", "先合并再测试。"],
    ["サーバーAをコピーする。", "サーバーAにコピーする。"],
    ["接口超时 5 秒。", "接口超时 50 秒。"],
  ])("is not where anything else does: %s / %s", (before, after) => {
    expect(kind(before, after)).not.toBe("same");
  });
});
