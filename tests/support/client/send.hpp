// Sends plain HTTP to this machine, which is all that a test needs.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.hpp"

inline std::optional<licence::Response> send_request(const licence::Request& request) {
  const std::size_t colon = request.url.find(':', 7), path = request.url.find('/', 7);
  std::string text = request.method + " " + request.url.substr(path) + " HTTP/1.0\r\nHost: " +
                     request.url.substr(7, path - 7) + "\r\n";
  for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
  text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n" + request.body;
  const int line = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons((std::uint16_t)std::stoi(request.url.substr(colon + 1)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (connect(line, (sockaddr*)&address, sizeof address) == 0 &&
      write(line, text.data(), text.size()) == (ssize_t)text.size()) {
    char bytes[4096];
    for (ssize_t count; (count = read(line, bytes, sizeof bytes)) > 0;) answer.append(bytes, (std::size_t)count);
  }
  close(line);
  const std::size_t body = answer.find("\r\n\r\n");
  if (body == std::string::npos) return std::nullopt;
  return licence::Response{std::stoi(answer.substr(answer.find(' '))), answer.substr(body + 4)};
}
