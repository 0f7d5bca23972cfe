// Drives the C++ client by lines of JSON: tests/support/client/drive.ts says which.
#include <fstream>
#include <iostream>
#include <sstream>

#include "client.hpp"
#include "send.hpp"

using licence::Json;

namespace {

struct {
  std::int64_t ahead = 0;
  bool cable = true, stop = false, unreadable = false, full = false;
  std::string kept;
} world;

Json read_line() {
  std::string line;
  return std::getline(std::cin, line) ? licence::detail::read_json(line, 64).value() : Json();
}

void write_line(const std::string& name, Json value) {
  std::cout << licence::detail::write_json(Json::of({{name, std::move(value)}})) << std::endl;
}

Json yes(bool value) {
  Json made;
  made.kind = Json::boolean;
  made.yes = value;
  return made;
}

template <typename T>
Json maybe(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json list(const std::vector<std::string>& texts) {
  Json made;
  made.kind = Json::list;
  for (const std::string& text : texts) made.items.push_back(text);
  return made;
}

Json verdict(const licence::Verdict& found) {
  const bool valid = found.code == "VALID";
  return Json::of({{"code", found.code},
                   {"online", yes(found.online)},
                   {"grace", yes(found.grace)},
                   {"type", or_null(found.type)},
                   {"level", or_null(found.level)},
                   {"features", list(found.features)},
                   {"expires_at", maybe(found.expires_at)},
                   {"offline_until", valid ? Json(found.offline_until) : Json()},
                   {"message", or_null(found.message)},
                   {"available_at", maybe(found.available_at)},
                   {"minimum_version", maybe(found.minimum_version)},
                   {"why", or_null(found.why)},
                   {"sign_in", yes(found.sign_in)},
                   {"fault", or_null(found.fault)}});
}

Json update(const std::optional<licence::Update>& found) {
  if (!found) return Json();
  Json files;
  files.kind = Json::list;
  for (const licence::File& file : found->files)
    files.items.push_back(Json::of({{"platform", file.platform}, {"name", file.name}, {"url", file.url},
                                    {"size", file.size}, {"sha512", file.sha512}, {"signature", file.signature}}));
  return Json::of({{"version", found->version}, {"title", found->title}, {"content", found->content},
                   {"newer", yes(found->newer)}, {"required", yes(found->required)}, {"files", files}});
}

Json me(const std::optional<licence::Me>& found) {
  if (!found) return Json();
  const Json devices = Json::of({{"used", found->used}, {"places", found->places}});
  const Json level = Json::of({{"id", maybe(found->level)}, {"name", maybe(found->level_name)}});
  return Json::of({{"username", found->username}, {"offer", maybe(found->offer)}, {"type", maybe(found->type)},
                   {"level", found->level ? level : Json()}, {"features", list(found->features)},
                   {"expires_at", maybe(found->expires_at)}, {"devices", devices}});
}

Json vectors(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const Json given = licence::detail::read_json(text.str(), 8).value();
  const auto keys = licence::detail::keys_in(given["keys"]);
  Json answers;
  answers.kind = Json::list;
  for (const Json& one : given["cases"].items) {
    const auto [expect, reason] =
        licence::check_token(one["token"].string, keys, given["issuer"].string, one["hwid"].string,
                             one["now"].number, one["latest_seen"].number, one["fresh"].yes);
    const auto features = expect == "refused" ? std::vector<std::string>()
                                              : licence::features_of(one["token"].string, one["now"].number);
    answers.items.push_back(
        Json::of({{"expect", expect}, {"reason", or_null(reason)}, {"features", list(features)}}));
  }
  return answers;
}

/// Writes and reads a file that others write, too; returns what went wrong.
Json contend(const std::string& path, std::int64_t times) {
  const licence::Keeper keeper = licence::file_keeper(path);
  Json wrong;
  wrong.kind = Json::list;
  for (std::int64_t turn = 0; turn < times; ++turn) try {
      keeper.write(std::string(5000, (char)('0' + turn % 10)));
      const std::string text = keeper.read();
      if (text.empty() || text != std::string(5000, text[0])) wrong.items.push_back("torn");
    } catch (const std::exception& error) {
      wrong.items.push_back(error.what());
    }
  return wrong;
}

Json answer(licence::Licence& licence, const Json& asked) {
  const std::string does = asked["do"].string, label = asked["label"].string, os = asked["os"].string;
  if (does == "sign_in") {
    const auto show = [](const licence::SignInCode& code) {
      write_line("show", Json::of({{"user_code", code.user_code},
                                   {"verification_uri", code.verification_uri},
                                   {"verification_uri_complete", code.verification_uri_complete},
                                   {"expires_at", code.expires_at}}));
    };
    return licence.sign_in(label, os, show, [] { return world.stop; });
  }
  if (does == "activate") return verdict(licence.activate(label, os));
  if (does == "check") return verdict(licence.check());
  if (does == "check_offline") return verdict(licence.check_offline());
  if (does == "use_file") return verdict(licence.use_file(asked["text"].string));
  if (does == "offline_request") return licence.offline_request(label, os);
  if (does == "update") return update(licence.update(asked["system"].string));
  if (does == "me") return me(licence.me());
  if (does == "has") return yes(licence.has(asked["feature"].string));
  if (does == "deactivate") return yes(licence.deactivate());
  if (does == "contend") return contend(asked["path"].string, asked["times"].number);
  if (does == "vectors") return vectors(asked["path"].string);
  if (asked.has("text")) world.kept = asked["text"].string;
  return or_null(world.kept);
}

}  // namespace

int main() {
  const Json given = read_line();
  licence::Options options;
  options.shop = given["shop"].string;
  options.hwid = given["hwid"].string;
  options.version = given["version"].string;
  options.token = given["token"].string;
  options.keys = licence::detail::keys_in(given["keys"]);
  for (const Json& one : given["issuers"].items) options.issuers.push_back(one.string);
  options.keeper = {[] {
                      if (world.unreadable) throw std::runtime_error("cannot read");
                      return world.kept;
                    },
                    [](const std::string& text) {
                      if (world.full) throw 28;
                      world.kept = text;
                    }};
  options.send = [](const licence::Request& request) {
    return world.cable ? send_request(request) : std::nullopt;
  };
  const auto now = options.now;
  options.now = [now] { return now() + world.ahead; };
  options.wait = [](int seconds) {
    write_line("wait", Json((std::int64_t)seconds));
    const Json told = read_line();
    world.ahead = told["ahead"].number;
    world.stop = told["stop"].yes;
  };
  licence::Licence licence(options);
  for (Json asked = read_line(); asked.kind != Json::null; asked = read_line()) {
    world.ahead = asked["ahead"].number;
    world.cable = asked["cable"].yes;
    world.stop = world.unreadable = world.full = false;
    for (const Json& one : asked["broken"].items) (one.string == "read" ? world.unreadable : world.full) = true;
    write_line("answer", answer(licence, asked));
  }
}
