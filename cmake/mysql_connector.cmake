# MySQL Connector/C++ 1.1 comes without a description for CMake or pkg-config.
find_path(MYSQL_CONNECTOR_HEADERS mysql_driver.h REQUIRED)
find_library(MYSQL_CONNECTOR_LIBRARY mysqlcppconn REQUIRED)
add_library(mysql_connector SHARED IMPORTED)
add_library(Mysql::connector ALIAS mysql_connector)
set_target_properties(mysql_connector PROPERTIES
  IMPORTED_LOCATION ${MYSQL_CONNECTOR_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${MYSQL_CONNECTOR_HEADERS})
